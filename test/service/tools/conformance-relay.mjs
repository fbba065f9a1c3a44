// The command that the conformance tests run as the client: `node conformance-relay.mjs WORK_URL SERVER_URL`.
const [work, server] = process.argv.slice(2);
const response = await fetch(`${work}/?${new URLSearchParams({ server })}`);
if (!response.ok) throw new Error(await response.text());
