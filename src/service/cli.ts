#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { bookingAgent } from '../../demo/agents/booking.ts';
import { scriptedAgent } from '../../demo/agents/scripted/scripted-agent.ts';
import { runCommand } from './cli/run-command.ts';

/** The harbour office is built beside this command. */
const directory = fileURLToPath(new URL('.', import.meta.url));

process.exitCode = await runCommand(process.argv.slice(2), {
  scriptedAgent,
  playgroundAgents: [
    {
      id: 'booking',
      name: 'Harbour Bookings',
      kind: 'scripted',
      origins: undefined,
      agent: bookingAgent({ command: process.execPath, args: [`${directory}harbour.js`], directory }),
    },
  ],
});
