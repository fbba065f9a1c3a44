import type { AgentChat } from 'agent-chat';
import { fields } from './fields.ts';
import { SettingsChangeEvent, type Settings } from './settings.ts';

/** This page's endpoint for a visitor's short-lived token. */
export const tokenUrl = '/demo/token';

/** The JSON inside the preview, in the API's own shape. */
export function extrasOf(preview: Element): Record<string, unknown> {
  const script = preview.querySelector('script[type="application/json"]');
  const json: unknown = JSON.parse(script?.textContent ?? '{}');
  return typeof json === 'object' && json !== null ? { ...json } : {};
}

/** Applies the settings to the widget on the page: only those that differ from its defaults. */
export function bindPreview(preview: AgentChat, settings: Settings): void {
  const apply = () => {
    for (const { attribute, initial } of fields) {
      const value = settings.get(attribute);
      if (value === initial) preview.removeAttribute(attribute);
      else if (preview.getAttribute(attribute) !== value) preview.setAttribute(attribute, value);
    }
  };
  preview.addEventListener('agent-chat-diagnostic', ({ message }) => settings.refuse(message));
  settings.addEventListener(SettingsChangeEvent.type, apply);
  apply();
}
