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

# The image has the sum of what it is built from in its name, so that working copies that differ in
# that do not get in each other's way.
image=$lab_dir/image-$(cat "$lab_home/build-image" "$lab_home/guest/init" | sha256sum | cut -c1-12)
