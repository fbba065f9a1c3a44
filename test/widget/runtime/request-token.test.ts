import { expect, fixture, html } from '@open-wc/testing';
import type { ChatHost } from '../../../src/widget/chat-host.ts';
import type { DiagnosticEvent } from '../../../src/widget/events/element-events.ts';
import { requestToken } from '../../../src/widget/runtime/request-token.ts';
import { TokenSource } from '../../../src/client/token-source.ts';
import { createRun } from '../../../src/conversation/factories.ts';
import type { RunFailure } from '../../../src/conversation/conversation.ts';
import { NoticeElement } from '../../../src/widget/panel/transcript/notice.ts';
import { defineElement } from '../../../src/widget/platform/define-element.ts';
import { failureOf } from '../../../src/session/run-failure.ts';
import { until } from '../chat-fixture.ts';

defineElement('agent-chat-notice', NoticeElement);

const tokenUrl = 'https://shop.example/token?page=1';
const address = 'https://shop.example/token';

interface Outcome {
  readonly token: unknown;
  readonly failure: Partial<RunFailure> | undefined;
  /** The reason of `agent-chat-error`. */
  readonly reason: string;
  /** The notice that the visitor reads. */
  readonly words: string;
  readonly diagnostics: readonly string[];
}

/** The part of a host element that `requestToken` reads, and the diagnostics that it dispatches. */
function fakeHost(
  config: { readonly tokenUrl: string; readonly token: string },
  fetch?: () => Promise<Response>,
): { readonly host: ChatHost; readonly diagnostics: readonly string[] } {
  const diagnostics: string[] = [];
  const host = Object.assign(new EventTarget(), {
    config,
    option: (name: string) => (name === 'fetch' ? fetch : undefined),
  });
  host.addEventListener('agent-chat-diagnostic', (event) => {
    event.preventDefault();
    diagnostics.push((event as DiagnosticEvent).message); // its type
  });
  return { host: host as unknown as ChatHost, diagnostics }; // all that is read of it
}

/** Requests a token from an endpoint with this response, like a run does. */
async function ask(answer: () => Promise<Response>): Promise<Outcome> {
  const { host, diagnostics } = fakeHost({ tokenUrl, token: '' }, answer);
  try {
    const provider = (): ReturnType<typeof requestToken> => requestToken(host, 'initial');
    const token = await new TokenSource({ provider, timeout: 0 }).current();
    return { token, failure: undefined, reason: '', words: '', diagnostics };
  } catch (error) {
    const failure = failureOf(error);
    const { kind, status, url, requestId } = failure;
    const words = await wordsFor(failure);
    await until(() => diagnostics.length > 0); // their texts load on demand
    const { reason } = failure;
    return { token: undefined, failure: { kind, status, url, requestId }, reason, words, diagnostics };
  }
}

async function wordsFor(failure: RunFailure): Promise<string> {
  const run = { ...createRun({ id: 'p', startedAt: 0 }), status: 'failed' as const, failure };
  const notice = await fixture<NoticeElement>(
    html`<agent-chat-notice .run=${run} .canRetry=${true}></agent-chat-notice>`,
  );
  return notice.renderRoot.textContent?.replace(/\s+/g, ' ').trim() ?? '';
}

const page = { 'content-type': 'text/html', 'x-request-id': 'req-9' };
const body = '{"token": "…"}';

describe('token-url', () => {
  it('returns the token of the response', async () => {
    const { token, diagnostics } = await ask(() => Promise.resolve(Response.json({ token: 'T' })));
    expect([token, diagnostics]).to.deep.equal(['T', []]);
  });

  for (const status of [404, 500, 200]) {
    it(`is broken when it answers ${status} with HTML, which does not mean signed out`, async () => {
      const { failure, words, diagnostics } = await ask(() =>
        Promise.resolve(new Response('<!doctype html>', { status, headers: page })),
      );
      expect(failure).to.deep.equal({ kind: 'token', status, url: address, requestId: 'req-9' });
      expect(words)
        .to.contain('The chat cannot connect right now.')
        .and.not.to.match(/sign in/i);
      const how = status === 200 ? `, but not with ${body}` : `. It must answer 200 with ${body}`;
      expect(diagnostics).to.deep.equal([
        `token-url returned no token: ${address} answered ${status}${how}.`,
      ]);
    });
  }

  for (const status of [401, 403]) {
    it(`means with ${status} that nobody is signed in`, async () => {
      const { failure, reason, words, diagnostics } = await ask(() =>
        Promise.resolve(new Response('{}', { status, headers: page })),
      );
      expect(failure).to.deep.equal({ kind: 'auth', status: 401, url: address, requestId: 'req-9' });
      expect(reason).to.equal(`token-url answered ${status}`);
      expect(words).to.match(/sign in/i);
      expect(diagnostics).to.deep.equal([
        `token-url returned no token: ${address} answered ${status}: nobody is signed in. For signed-in visitors, answer 200 with ${body}.`,
      ]);
    });
  }

  it('is a network problem when it cannot be reached', async () => {
    const { failure, words, diagnostics } = await ask(() => Promise.reject(new TypeError('Failed to fetch')));
    expect(failure).to.include({ kind: 'network', url: address });
    expect(words).to.equal('No connection to the service. Retry');
    expect(diagnostics).to.deep.equal([
      `token-url cannot be reached: ${address}. Check the address, the page's CSP and, on another origin or file:, CORS.`,
    ]);
  });

  for (const [status, kind] of [
    [200, 'auth'],
    [404, 'token'],
  ] as const) {
    it(`is ${kind === 'auth' ? 'signed out' : 'broken'} when it leads to a page that answers ${status}`, async () => {
      const response = new Response('<!doctype html>', { status, headers: page });
      Object.defineProperty(response, 'redirected', { value: true });
      expect((await ask(() => Promise.resolve(response))).failure).to.include({ kind });
    });
  }
});

it('a refused `token` is called refused, not missing', async () => {
  const { host, diagnostics } = fakeHost({ tokenUrl: '', token: 'T' });
  expect(await requestToken(host, 'initial')).to.equal('T');
  // the request is repeated with it, so that its failure has the service's reason
  expect(await requestToken(host, 'rejected')).to.equal('T');
  await until(() => diagnostics.length > 0); // their texts load on demand
  expect(diagnostics).to.deep.equal([
    'The service refused the value of token: set token-url or tokenProvider, or answer agent-chat-token-needed.',
  ]);
});
