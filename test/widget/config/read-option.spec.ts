import { expect, test } from '@playwright/test';
import type { HostOptions } from '../../../src/widget/config/host-options.ts';
import { readOption } from '../../../src/widget/config/read-option.ts';
import type { DiagnosticEvent } from '../../../src/widget/events/element-events.ts';

class Page extends EventTarget {
  readonly options: HostOptions = {};
  readonly heard: string[] = [];

  constructor() {
    super();
    this.addEventListener('agent-chat-diagnostic', (event) => {
      event.preventDefault();
      this.heard.push((event as DiagnosticEvent).message); // its type
    });
  }

  option<Name extends keyof HostOptions>(name: Name): HostOptions[Name] {
    return this.options[name];
  }
}

test('invalid entries of allowedOrigins are reported once', () => {
  const page = new Page();
  page.options.allowedOrigins = {
    images: ['https://cdn.example.com/pictures', 'data:', 'cdn.example.com', '*'],
    media: ['https://*.example.com', 'http://localhost:8080'],
    frames: ['data:'],
    ...{ image: ['https://a.example'] },
  };
  for (let times = 0; times < 2; times += 1)
    expect(readOption(page, 'allowedOrigins')).toEqual({
      images: ['https://cdn.example.com/pictures', 'data:'],
      media: ['http://localhost:8080'],
      frames: [],
    });
  expect(page.heard).toEqual([
    'Ignored because of their type or value: allowedOrigins.images[2], allowedOrigins.images[3], ' +
      'allowedOrigins.media[0], allowedOrigins.frames[0], allowedOrigins.image.',
  ]);
});
