import { expect } from '@playwright/test';
import { ChatPage } from '../tools/chat-page.ts';
import { framings, pageServer, plainTurn, sendEvents } from '../tools/page-server.ts';
import { test } from '../tools/worker-context.ts';

const host = pageServer(test);

test('the accessibility tree of a conversation is what a screen reader needs', async ({ page }) => {
  const answer =
    '## Hours\n\nThe office opens at **eight**.\n\n- Monday\n- Tuesday\n\n```js\nopen();\n```\n\n| Day | Hour |\n|---|---|\n| Mon | 8 |';
  host.answer = async ({ method, url }, response) => {
    if (method !== 'POST' || !url?.endsWith('/runs/stream')) return false;
    await sendEvents(response, framings['real SSE'], plainTurn([answer]), 0);
    return true;
  };
  host.pages.set('/page.html', {
    html: `<!doctype html><html lang="en"><head><title>Host</title></head><body><main><h1>Shop</h1>
      <script async src="/agent-chat.js"></script>
      <agent-chat agent-id="demo" token="t" heading="Harbour office"></agent-chat></main></body></html>`,
  });
  await page.addInitScript(() => {
    const add = EventTarget.prototype.addEventListener;
    const clickable: string[] = [];
    Object.assign(globalThis, { clickable });
    EventTarget.prototype.addEventListener = function (type: string, ...rest: [EventListener]) {
      if (type === 'click' && this instanceof Element && !this.matches('button'))
        clickable.push(this.localName);
      return add.call(this, type, ...rest);
    };
  });
  await page.goto(`${host.origin}/page.html`);
  const chat = new ChatPage(page);
  await chat.open();
  await chat.say('When do you open?');
  await expect(chat.element.locator('agent-chat-turn-actions')).toBeVisible();
  await expect(chat.element.locator('agent-chat-markdown .code').first()).toBeVisible();
  await expect(chat.element.locator('agent-chat-markdown h2')).toHaveAttribute('aria-level', '4');
  await expect(chat.element.locator('agent-chat-markdown code')).toHaveText('open();');
  await expect(chat.panel).toMatchAriaSnapshot(`
    - dialog "Chat with Harbour office":
      - button "Keyboard and reading aloud"
      - heading "Harbour office" [level=2]
      - paragraph: Online
      - button "New chat"
      - button "Expand"
      - button "Close"
      - log "Conversation":
        - paragraph:
          - time: /Today/
        - article "You said":
          - heading "You said" [level=3]
          - paragraph: When do you open?
          - button "Edit"
        - article "Harbour office said":
          - heading "Harbour office said" [level=3]
          - heading "Hours"
          - paragraph:
            - text: The office opens at
            - strong: eight
            - text: .
          - list:
            - listitem: Monday
            - listitem: Tuesday
          - group "Code JavaScript":
            - text: JavaScript
            - button "Wrap"
            - button "Copy"
            - code
          - group "Table":
            - table:
              - rowgroup:
                - row "Day Hour":
                  - columnheader "Day"
                  - columnheader "Hour"
              - rowgroup:
                - row "Mon 8":
                  - cell "Mon"
                  - cell "8"
          - group "Actions for this answer":
            - button "Copy"
            - button "Good answer"
            - button "Bad answer"
            - button "Answer again"
      - textbox "Message":
        - /placeholder: Write a message
      - button "Send" [disabled]
  `);
  // a listener around the conversation would make screen readers call each part of it "clickable"
  expect(await page.evaluate(() => Reflect.get(globalThis, 'clickable') as string[])).toEqual([]);
});
