"""Reads and writes a file of a mounted folder at random places, and a twin of it in memory."""
import os
import random
import sys

path, seed, size, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
chance = random.Random(seed)
twin = bytearray()
file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)


def check(at, length):
    expected = bytes(twin[at:at + length])
    found = os.pread(file, length, at)
    if found != expected:
        sys.exit(f"{length} bytes at {at} differ")


for step in range(rounds):
    at = chance.randrange(size)
    length = chance.choice([1, 3, 100, 4096, 5000, 70000, 1 << 20])
    kind = chance.randrange(10)
    if kind < 5:
        data = chance.randbytes(length)
        if at > len(twin):
            twin.extend(bytes(at - len(twin)))
        twin[at:at + length] = data
        if os.pwrite(file, data, at) != length:
            sys.exit("a short write")
    elif kind < 8:
        check(at, length)
    elif kind == 8:
        os.ftruncate(file, at)
        twin[at:] = bytes(max(0, at - len(twin)))
    else:
        # What is written is forgotten here, and has to come back.
        os.fsync(file)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
os.fsync(file)
os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
check(0, len(twin) + 1)
os.close(file)
print(len(twin))
