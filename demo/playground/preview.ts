import type { AgentChat } from 'agent-chat';
import { fields } from './fields.ts';
import { lookCss } from './look-fields.ts';
import { pretendUpload } from './pretend-upload.ts';
import { SettingsChangeEvent, type Settings } from './settings.ts';

/** This page's endpoint for a visitor's short-lived token. */
export const tokenUrl = '/demo/token';

/** What the element's JSON contains for these settings, in the API's own shape: the page's, with the logo. */
export function extrasOf(preview: Element, settings: Settings): Record<string, unknown> {
  const script = preview.querySelector('script[type="application/json"]');
  const json = Object(JSON.parse(script?.textContent ?? '{}')) as Record<string, unknown>; // any object
  const logo = settings.get('logo');
  if (!logo) return json;
  const avatar = URL.canParse(logo, location.origin) ? new URL(logo, location.origin).href : logo;
  return { ...json, header: { avatar, ...Object(json['header']) } };
}

/** A media query that matches where a chat in the corner would cover the settings: the preview is then in a frame. */
export type FramingQuery = Pick<MediaQueryList, 'matches'> & {
  addEventListener(type: 'change', listener: () => void): void;
};

/**
 * Applies the settings to the widget on the page: only those that differ from its defaults. The look's CSS is what
 * the snippets contain. Framed, a chat that would float or cover the window fills the frame around it.
 */
export function bindPreview(preview: AgentChat, settings: Settings, framing: FramingQuery): void {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  let drawn = '';
  const apply = () => {
    const isFramed = framing.matches && settings.get('form-type') !== 'custom';
    const framed: Readonly<Record<string, string>> = isFramed ? inFrame : {};
    for (const { attribute, initial } of fields) {
      const value = framed[attribute] ?? settings.accepted(attribute);
      if (value === initial) preview.removeAttribute(attribute);
      else if (preview.getAttribute(attribute) !== value) preview.setAttribute(attribute, value);
    }
    preview.uploadDocument = settings.get('documents') === 'true' ? pretendUpload : undefined;
    const css = lookCss((name) => settings.accepted(name));
    const header = JSON.stringify(extrasOf(preview, settings)['header']);
    if (css + header === drawn) return;
    drawn = css + header;
    sheet.replaceSync(css);
    preview.header = Object(JSON.parse(header)) as NonNullable<AgentChat['header']>; // as the snippet has it
  };
  preview.addEventListener('agent-chat-diagnostic', ({ message }) => settings.refuse(message));
  settings.addEventListener(SettingsChangeEvent.type, apply);
  framing.addEventListener('change', apply);
  apply();
}

const inFrame = { 'form-type': 'custom', 'container-id': '', width: '100%', height: '100%' };
