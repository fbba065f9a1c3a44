# The service with its script, from the npm package agent-chat-service. Build it in the folder of the package:
#   docker build -f node_modules/agent-chat-service/demo/deploy/Dockerfile -t agent-chat node_modules/agent-chat-service

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8787 DATA_DIR=/data
WORKDIR /app
# Packages for some agents and stores: leave out what you do not use.
ARG EXTRAS="openai@6 @anthropic-ai/sdk@1 @ag-ui/client@1 @modelcontextprotocol/client@2 pg@8 ioredis@6 @opentelemetry/api@1"
COPY package.json ./
RUN npm install --omit=dev --no-audit --no-fund $EXTRAS
COPY dist ./dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node is process 1 and hears SIGTERM itself: runs end with a terminal event before the container does.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "dist/service/cli.js"]
CMD ["serve"]
