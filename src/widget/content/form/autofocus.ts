import { deepestFocus } from '../../platform/focus.ts';
import { allFields, type Field } from './form-model.ts';

/** The first field with `ui:autofocus`. */
export function findAutofocusField(form: Field): Field | undefined {
  return [...allFields(form)].find(({ kind, hints }) => kind === 'value' && hints.autofocus);
}

/**
 * Focuses the control that `find` returns, only if the form is in view, and focus is already in the same chat, outside
 * `form`, and not in a field with text: elsewhere, it would interrupt the visitor.
 */
export async function takeFocus(form: HTMLElement, find: () => HTMLElement | null): Promise<void> {
  if (!form.offsetHeight) return;
  // an IntersectionObserver runs after the transcript has scrolled
  const isInView = await new Promise<boolean>((resolve) =>
    new IntersectionObserver(([view], views) => {
      views.disconnect();
      resolve(view?.isIntersecting === true);
    }).observe(form),
  );
  if (!isInView) return;
  const chat = outermostHost(form);
  if (!chat || document.activeElement !== chat || form.matches(':focus-within') || isUserTyping(chat)) return;
  find()?.focus();
}

/** The element in the document whose shadow tree contains `element`, across all levels. */
function outermostHost(element: Element): Element | undefined {
  let outermost: Element | undefined;
  for (let root = element.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode())
    outermost = root.host;
  return outermost;
}

/** Whether a field that already contains text has focus. */
function isUserTyping(host: Element): boolean {
  const focused = deepestFocus(host);
  const isField = focused?.matches('input, textarea, select') === true;
  // all three kinds have a value
  return isField && (focused as HTMLInputElement).value !== '';
}
