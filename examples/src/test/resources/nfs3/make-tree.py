"""Makes a tree of 20 folders with 620 files in all, and 105 MB of arbitrary content."""
import os
import random
import sys

root = sys.argv[1]
chance = random.Random(20)


def make(path, size):
    with open(os.path.join(root, path), "wb") as file:
        file.write(chance.randbytes(size))


for folder in range(20):
    os.makedirs(os.path.join(root, f"folder {folder}", "deeper"))
    for number in range(29):
        make(f"folder {folder}/file-{number}", number * number * 175)
    make(f"folder {folder}/deeper/large", 3_900_000)
    make(f"folder {folder}/deeper/empty", 0)
