echo D:\a.dat 4 0x0 100 > p.txt
sqlio -kW -s60 -f64 -i8 -b4 -t4 -S16 -o2 -BS -Fp.txt
