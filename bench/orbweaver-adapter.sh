#!/bin/sh
# Orbweaver for the peer benchmark (docs/benchmarks.md): copy it there as crawlers/ours.
# BENCH_OURS is the checkout (npm ci done), BENCH_OURS_ARGS further options. Starts the checkout's own Node.js at once:
# npx and the launcher would be counted as CPU of the crawl.
[ -n "${BENCH_OURS:-}" ] || exit 0
for node in "$BENCH_OURS"/node_modules/node-*/bin/node "$BENCH_OURS"/tools/node/node_modules/node-*/bin/node node; do
  [ -x "$node" ] && break
done
if [ "${1:-}" = info ]; then
  version=$("$node" "$BENCH_OURS/bin/orbweaver.cjs" --version) && echo "{\"version\": \"$version\"}"
  exit
fi
# shellcheck disable=SC2086 # seeds and options are lists
exec "$node" "$BENCH_OURS/bin/orbweaver.cjs" crawl $BENCH_SEEDS --dir "$BENCH_OUT/crawl" --scope host \
  --concurrency "$BENCH_CONCURRENCY" --delay 0 --allow-private --no-text --no-index --sitemaps off --quiet ${BENCH_OURS_ARGS:-}
