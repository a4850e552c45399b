# Read by the other scripts here: commands that end in time.

running=

# Runs a command that may take so many minutes; then it ends with all that it has started. It is waited
# for in the background, so that an interrupt ends it too.
within() {
  local minutes=$1 status=0
  shift
  timeout -k 30 "${minutes}m" "$@" &
  running=$!
  wait "$running" || status=$?
  running=
  return "$status"
}

# To be called when the script ends, however it ends.
end_running() {
  [[ -z "$running" ]] || kill "$running" 2>/dev/null || true
}
