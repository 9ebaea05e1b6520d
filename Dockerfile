# The program on Node.js 24 (24.15 or newer), without the tools that build it. Runs as a user without rights.
FROM node:24-slim AS build
WORKDIR /build
COPY . .
RUN npm ci && npm pack && mv orbweaver-*.tgz orbweaver.tgz

FROM node:24-slim
WORKDIR /build
COPY --from=build /build/orbweaver.tgz .
RUN npm install --global --omit=dev ./orbweaver.tgz && npm cache clean --force && rm orbweaver.tgz \
  && mkdir /crawl && chown node:node /crawl
USER node
WORKDIR /crawl
VOLUME /crawl
EXPOSE 8787
# Of `serve` and `start`. A node has no server: whoever runs one turns this off, and starts it again when it ends.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8787/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["orbweaver"]
CMD ["--help"]
