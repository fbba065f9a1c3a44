#!/usr/bin/env node
import { scriptedAgent } from '../../demo/agents/scripted/scripted-agent.ts';
import { runCommand } from './cli/run-command.ts';

process.exitCode = await runCommand(process.argv.slice(2), { scriptedAgent });
