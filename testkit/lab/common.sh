# Read by the other scripts of the lab: where things are, and how to say what is wrong.

lab_home=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
lab_dir=${RPCRDMA_LAB_DIR:-${TMPDIR:-/tmp}/rpcrdma-lab}

fail() {
  printf 'lab: %s\n' "$*" >&2
  exit 1
}

# The tools that a machine lacks, one line for each, with the package that has it.
missing_tools() {
  local pair
  for pair in "$@"; do
    command -v "${pair%%=*}" >/dev/null || echo "${pair%%=*} (apt-get install ${pair##*=})"
  done
}

require_tools() {
  local missing
  missing=$(missing_tools "$@" | paste -sd, - | sed 's/,/, /g')
  [ -z "$missing" ] || fail "missing: $missing"
}

# Says which kernel series is meant, and where its image is. The image has the sum of what it is built
# from in its name, so that working copies that differ in that do not get in each other's way.
choose_kernel() {
  [[ $1 =~ ^[0-9]+\.[0-9]+$ ]] || fail "a kernel is named by its series, such as 6.1, not by '$1'"
  series=$1
  image=$lab_dir/image-$series-$(cat "$lab_home/build-image" "$lab_home/guest/init" | sha256sum |
    cut -c1-12)
}
