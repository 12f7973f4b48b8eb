@echo off
rem The three tests of the first study, one after the other, on the drive under test.
echo sequential read >> results.txt
.\SQLIO.EXE -s120 -kR -fsequential -o2 -b64 -t4 -LS -BN D:\testfile.dat >> results.txt
timeout /T 10
start /wait sqlio.exe -s120 -kR -frandom -o16 -b64 -t4 -LS -BN D:\testfile.dat >> results.txt 2>&1
timeout /T 10
"C:\Program Files\SQLIO\sqlio.exe" -s120 -kW -frandom -o16 -b64 -t4 -LS -BN D:\testfile.dat >> results.txt
