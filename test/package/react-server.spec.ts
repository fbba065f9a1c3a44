import { expect, test } from '@playwright/test';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { AgentChat } from '../../src/react/index.ts';

test('a server renders the settings of the React component as attributes', () => {
  const html = renderToStaticMarkup(
    createElement(
      AgentChat,
      {
        agentId: 'demo',
        theme: 'dark',
        isLive: false,
        lang: 'de',
        token: 'secret',
        open: true,
        heading: undefined,
        className: 'a',
      },
      createElement('p', { slot: 'footer' }, 'Hi'),
    ),
  );
  expect(html.toLowerCase()).toBe(
    '<agent-chat agent-id="demo" theme="dark" is-live="false" lang="de" class="a"><p slot="footer">hi</p></agent-chat>',
  );
});

test('a server leaves the attributes out where the element would move before React has found it', () => {
  const html = renderToStaticMarkup(createElement(AgentChat, { agentId: 'demo', containerId: 'help' }));
  expect(html).toBe('<span style="display:contents"><agent-chat></agent-chat></span>');
});
