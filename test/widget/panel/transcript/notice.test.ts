import { aTimeout, expect, fixture, html } from '@open-wc/testing';
import type { RunFailure } from '../../../../src/conversation/conversation.ts';
import { createRun } from '../../../../src/conversation/factories.ts';
import type { PanelRequest, Request } from '../../../../src/widget/events/panel-request.ts';
import { NoticeElement } from '../../../../src/widget/panel/transcript/notice.ts';
import { defineElement } from '../../../../src/widget/platform/define-element.ts';

defineElement('agent-chat-notice', NoticeElement);

const requestId = '5b1f9c1e-8a53-4f0e-9d55-0c5a6f1f2a10';

async function notice(
  failure: Partial<RunFailure> & Pick<RunFailure, 'kind'>,
  preview = false,
): Promise<{ text: string; root: ShadowRoot; asked: string[]; requests: Request[] }> {
  const asked: string[] = [];
  const requests: Request[] = [];
  const run = {
    ...createRun({ id: 'client-message-1', startedAt: Date.now() }),
    status: 'failed' as const,
    endedAt: Date.now(),
    failure: { reason: 'internal words of a server', retryable: false, retryAfter: undefined, ...failure },
  };
  const element = await fixture<NoticeElement>(
    html`<agent-chat-notice
      .run=${run}
      .canRetry=${true}
      .preview=${preview}
      @agent-chat-request=${({ request }: PanelRequest) => {
        asked.push(request.kind);
        requests.push(request);
      }}
    ></agent-chat-notice>`,
  );
  const root = element.renderRoot as ShadowRoot; // created by Lit
  return { text: root.textContent?.replace(/\s+/g, ' ').trim() ?? '', root, asked, requests };
}

describe('<agent-chat-notice>', () => {
  it('hides the service’s message and other developer details from visitors', async () => {
    const evidence = { status: 500, url: 'https://chat.example/runs', requestId };
    const { text } = await notice({ kind: 'server', ...evidence });
    expect(text).to.equal('The service has a problem. Please try again.Reference: 6f1f2a10');
    const { root } = await notice({ kind: 'server', ...evidence }, true);
    expect(root.querySelector('details pre')?.textContent).to.equal(
      `internal words of a server\n500\nhttps://chat.example/runs\n${requestId}`,
    );
  });

  it('shows the words that the agent’s author wrote for the visitor, as text and at most 500 characters', async () => {
    const { text, root, asked } = await notice({
      kind: 'run',
      retryable: true,
      forVisitor: true,
      reason: `<b>Closed</b> until Monday.${' '.repeat(473)}Beyond`,
    });
    expect(text).to.equal('<b>Closed</b> until Monday. Reference: message Retry');
    expect(root.querySelector('b')).to.equal(null);
    root.querySelector('button')?.click();
    expect(asked).to.deep.equal(['retry']);
  });

  it('shows a reference code for failures that are in a log', async () => {
    expect((await notice({ kind: 'not-found', requestId: 'req_01HXYZ8K3M' })).text).to.contain(
      '1HXYZ8K3M'.slice(-8),
    );
    expect((await notice({ kind: 'run' })).text).to.match(/Reference: message$/);
    for (const kind of ['network', 'auth', 'guardrail'] as const)
      expect((await notice({ kind })).text).not.to.contain('Reference');
  });

  it('counts down only for a failure that names a time, also if an earlier one was long ago', async () => {
    const { root, text } = await notice({ kind: 'network', retryable: true });
    const element = root.host as NoticeElement; // the element of the root
    const { run } = element;
    if (run?.endedAt === undefined) throw new Error('it has ended');
    await aTimeout(20);
    element.run = { ...run, endedAt: Date.now() };
    await element.updateComplete;
    expect(root.textContent?.replace(/\s+/g, ' ').trim()).to.equal(text);
    expect(root.querySelector('button')?.getAttribute('aria-disabled')).to.equal('false');
  });

  it('offers a new chat where this one cannot continue', async () => {
    for (const kind of ['forbidden', 'not-found'] as const) {
      const { root, asked } = await notice({ kind });
      const button = root.querySelector('button');
      expect(button?.textContent?.trim()).to.equal('New chat');
      button?.click();
      expect(asked).to.deep.equal(['new-thread']);
    }
    expect((await notice({ kind: 'invalid' })).root.querySelector('button')).to.equal(null);
  });

  it('explains why access is denied', async () => {
    expect((await notice({ kind: 'forbidden' })).text)
      .to.contain('no access')
      .and.contain('new chat');
  });

  it('offers to sign in after a 401, and Retry while the page signs the visitor in', async () => {
    const { text, root, asked, requests } = await notice({ kind: 'auth', retryable: true, status: 401 });
    expect(text).to.equal('Please sign in again to go on. Your text is kept. Sign in');
    const click = () => root.querySelector('button')?.click();
    click();
    click(); // nobody took it: the same again
    const [request] = requests;
    if (request?.kind !== 'sign-in') throw new Error('nobody asked to sign in');
    expect(request.runKey).to.equal('client-message-1');
    request.onHandled();
    await aTimeout(0);
    expect(root.querySelector('button')?.textContent?.trim()).to.equal('Retry');
    click();
    expect(asked).to.deep.equal(['sign-in', 'sign-in', 'retry']);
  });

  it('reports a broken token endpoint as a connection problem, and offers Retry', async () => {
    const { text, root, asked } = await notice({ kind: 'token', retryable: true, status: 404 });
    expect(text).to.contain('The chat cannot connect right now.').and.not.to.contain('sign in');
    root.querySelector('button')?.click();
    expect(asked).to.deep.equal(['retry']);
  });

  it('says when to retry a busy service, in a practical unit', async () => {
    const waits: readonly (readonly [RunFailure['kind'], number | undefined, string, boolean])[] = [
      ['server', 20, 'The service is busy right now. Try again in 20 seconds.', true],
      ['busy', 30, 'The service is busy right now. Try again in 30 seconds.', true],
      ['rate-limit', 90, 'Too many messages at once. Try again in 90 seconds.', true],
      ['rate-limit', 91, 'Too many messages at once. Try again in 2 minutes.', true],
      ['server', 600, 'The service is busy right now. Try again in 10 minutes.', true],
      ['rate-limit', 99_999_999, 'Too many messages at once. Please try again later.', false],
      ['rate-limit', undefined, 'Too many messages at once. Please try again later.', false],
      ['busy', undefined, 'The service is busy right now.', false],
    ];
    for (const [kind, retryAfter, words, waiting] of waits) {
      const { text, root } = await notice({ kind, retryAfter, retryable: true });
      expect(text).to.contain(words);
      expect(root.querySelector('button')?.ariaDisabled).to.equal(String(waiting));
    }
  });
});
