import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@playwright/test';
import { installLine, unfitPackages } from '../../src/service/errors/server-packages.ts';

test('other major versions are reported; matching and optional packages are not, unless they are used', () => {
  const app = mkdtempSync(join(tmpdir(), 'agent-chat-app-'));
  const installed = {
    fastify: '4.29.1',
    jose: '5.10.0',
    libsql: '0.5.0',
    openai: '5.0.0',
    pg: '7.18.2',
    'prom-client': '15.0.0',
  };
  for (const [name, version] of Object.entries(installed)) {
    mkdirSync(join(app, 'node_modules', name), { recursive: true });
    writeFileSync(join(app, 'node_modules', name, 'package.json'), JSON.stringify({ name, version }));
  }
  const command = join(app, 'node_modules', 'agent-chat', 'dist', 'service', 'cli.js');
  const required = [
    { name: 'fastify', found: '4.29.1' },
    { name: 'jose', found: '5.10.0' },
  ];
  expect(unfitPackages([], pathToFileURL(command).href)).toEqual(required);
  expect(unfitPackages(['pg'], pathToFileURL(command).href)).toEqual([
    ...required,
    { name: 'pg', found: '7.18.2' },
  ]);
  rmSync(app, { recursive: true });
});

test('the install line names an optional package with its version, and the service for all others', () => {
  expect(installLine('pg')).toBe('npm install pg@8');
  expect(installLine('fastify')).toBe('npm install agent-chat-service');
  expect(installLine()).toBe('npm install agent-chat-service');
});
