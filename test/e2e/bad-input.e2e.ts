import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { pageServer } from '../tools/page-server.ts';
import { ServiceProcess } from '../tools/service-process.ts';
import { isolatedTest, test } from '../tools/worker-context.ts';

let service: ServiceProcess;
const host = pageServer(test);

test.beforeAll(async () => {
  service = await ServiceProcess.start({ BODY_LIMIT: '20000', MESSAGE_LIMIT: '5000' });
});
test.afterAll(async () => {
  await service.stop();
});

async function visit(page: Page, attributes: string): Promise<{ chat: ChatPage; diagnostics: string[] }> {
  const diagnostics: string[] = [];
  const faults: string[] = [];
  page.on('console', (entry) => diagnostics.push(entry.text()));
  page.on('pageerror', (fault) => faults.push(fault.message));
  host.pages.set('/page.html', {
    html: `<!doctype html><html lang="en"><title>Host</title><body>
      <script async src="${service.origin}/agent-chat.js" ${attributes}></script></body></html>`,
  });
  await page.goto(`${host.origin}/page.html`);
  expect(faults).toEqual([]);
  return { chat: new ChatPage(page), diagnostics };
}

test('without a token the visitor is asked to sign in, and the message is sent once there is one', async ({
  page,
}) => {
  const { chat } = await visit(page, 'data-agent-id="echo"');
  await chat.open();
  await chat.answerAtOnce();
  await chat.say('Keep these words');
  await expect(chat.notice).toContainText('sign in');
  await expect(chat.element.locator('agent-chat-visitor-message')).toContainText('Keep these words');
  const token = await service.token();
  await chat.evaluate((element, given) => {
    element.tokenProvider = () => given;
  }, token);
  await expect.poll(() => chat.lastAnswer()).toBe('Keep these words');
  await expect(chat.notice).toHaveCount(0);
});

test('a wrong token is reported as such, and never shown or logged', async ({ page }) => {
  const { chat, diagnostics } = await visit(page, 'data-agent-id="echo" data-token="wrong.token.value"');
  await chat.open();
  await chat.say('Hello');
  await expect(chat.notice).toContainText('sign in');
  expect(await chat.element.locator('agent-chat-panel').innerText()).not.toContain('wrong.token.value');
  expect(diagnostics.join('\n')).not.toContain('wrong.token.value');
});

test('an unknown agent is reported to the visitor, with the reason for developers', async ({ page }) => {
  const { chat } = await visit(page, `data-agent-id="nobody" data-token="${await service.token()}"`);
  const told = page.evaluate(
    () =>
      new Promise<{ kind: string; status?: number | undefined; requestId?: string | undefined }>((resolve) =>
        document.addEventListener('agent-chat-error', ({ kind, status, requestId }) =>
          resolve({ kind, status, requestId }),
        ),
      ),
  );
  await chat.open();
  await chat.say('Hello');
  await expect(chat.notice).toContainText('does not exist');
  await expect(chat.notice.getByRole('button', { name: 'New chat' })).toBeVisible();
  const { kind, status, requestId } = await told;
  expect([kind, status]).toEqual(['not-found', 404]);
  await expect(chat.notice).toContainText(`Reference: ${requestId?.slice(-8)}`);
});

test('a message over the service’s limit is reported and can be shortened', async ({ page }) => {
  const { chat } = await visit(page, `data-agent-id="echo" data-token="${await service.token()}"`);
  await chat.open();
  await chat.say('x'.repeat(30_000));
  await expect(chat.notice).toContainText(/too large/i);
  await expect(chat.element.locator('agent-chat-visitor-message')).toContainText('xxxx');
});

isolatedTest('a container that never appears makes the chat float', async ({ page }) => {
  await page.clock.install();
  const { chat, diagnostics } = await visit(
    page,
    `data-agent-id="echo" data-form-type="custom" data-container-id="never"`,
  );
  await expect.poll(() => diagnostics.join('\n')).toContain('Waiting 10 s');
  await page.clock.fastForward(11_000);
  await expect(chat.launcher).toBeVisible();
});
