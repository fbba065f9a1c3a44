import { html, nothing } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { removeIcon } from '../../../theme/item-icons.ts';
import { fileName } from '../answer-list.ts';
import { mediaType } from '../../files/file-limits.ts';
import { renderIconButton } from '../../content-templates.ts';
import { fileIcon, icon } from '../../../theme/icons.ts';
import type { FormControls } from '../form-controls.ts';
import type { ValueField } from '../form-model.ts';
import { own, ownNumber } from '../schema/json.ts';
import { describedBy, emptyValue } from './field-templates.ts';

/** Default size limit of a file in a form, in megabytes: it is sent inside the message. */
const megabytes = 5;

/** Renders a file input. Files become part of the answer, as `data:` URLs that contain their name. */
export function renderFile(field: ValueField, controls: FormControls, label?: string): unknown {
  const several = own(field.schema, 'type') === 'array';
  const files = filesIn(field.value);
  // the name of a rejected file stays visible until it is removed or replaced
  const refused = controls.errorOf(field) ? controls.drafts.get(field.pointer) : undefined;
  return html`${
      files.length || refused !== undefined
        ? html`<ul class="files">
            ${files.map((file, index) => renderChosen(field, controls, file, index, files))}
            ${refused === undefined ? nothing : renderName(field, controls, refused, () => forget(field, controls))}
          </ul>`
        : nothing
    }
    <input
      class="field file"
      part="form-control"
      type="file"
      id=${controls.idOf(field)}
      accept=${ifDefined(field.hints.accept?.split(',').map(mediaType).join())}
      ?multiple=${several}
      aria-label=${ifDefined(label)}
      aria-describedby=${ifDefined(describedBy(field, controls))}
      aria-invalid=${controls.errorOf(field) ? 'true' : nothing}
      ?disabled=${field.readonly}
      @change=${(event: Event) => controls.waitFor(take(event, field, controls))}
    />`;
}

function renderChosen(
  field: ValueField,
  controls: FormControls,
  file: unknown,
  index: number,
  files: readonly unknown[],
): unknown {
  const name = fileName(String(file));
  const rest = files.filter((_, other) => other !== index);
  const isList = Array.isArray(field.value) && rest.length > 0;
  return renderName(
    field,
    controls,
    name,
    field.readonly ? undefined : () => controls.setValue(field.path, isList ? rest : emptyValue(field)),
  );
}

function renderName(
  field: ValueField,
  controls: FormControls,
  name: string,
  remove: (() => void) | undefined,
): unknown {
  return html`<li>
    ${icon(fileIcon)}<span>${name}</span>
    ${
      remove
        ? renderIconButton(removeIcon, {
            label: controls.t('file.remove', { name }),
            onClick: (event) => {
              // the button disappears with the file; focus moves to the file input
              const root = (event.currentTarget as HTMLElement).getRootNode() as ShadowRoot;
              root.getElementById(controls.idOf(field))?.focus();
              remove();
            },
          })
        : nothing
    }
  </li>`;
}

function forget(field: ValueField, controls: FormControls): void {
  controls.drafts.delete(field.pointer);
  controls.setValue(field.path, field.value);
}

/** The files in a field's value: one, or a list of them. */
function filesIn(value: unknown): readonly unknown[] {
  return [value].flat().filter((file) => typeof file === 'string' && file !== '');
}

async function take(event: Event, field: ValueField, controls: FormControls): Promise<void> {
  // the listener is on a file input
  const input = event.target as HTMLInputElement;
  const files = [...(input.files ?? [])];
  const limit =
    ownNumber(field.hints.options, 'maxFileSizeMB') ??
    ownNumber(field.hints.options, 'maxSingleFileSizeMB') ??
    megabytes;
  const tooLarge = files.find(({ size }) => size > limit * 1_000_000);
  const fitting = files.filter(({ size }) => size <= limit * 1_000_000);
  const read = await Promise.all(fitting.map(readFile));
  const urls = read.filter((url) => url !== undefined);
  // a file that was deleted meanwhile, or a folder
  const unread = fitting[read.indexOf(undefined)];
  input.value = '';
  if (!files.length) return;
  const isList = own(field.schema, 'type') === 'array';
  const { path } = field;
  // other files may have been added or removed during reading
  const now = controls.valueAt(path);
  const value = isList && urls.length ? [...filesIn(now), ...urls] : (urls[0] ?? now);
  const refused = tooLarge ?? unread;
  if (refused) controls.drafts.set(field.pointer, refused.name);
  const error = tooLarge
    ? { path, keyword: 'fileSize', limit }
    : { path, keyword: 'fileRead', limit: refused?.name };
  controls.setValue(path, value, refused && error);
}

/** Reads a file as a `data:` URL; undefined if it cannot be read. */
function readFile(file: File): Promise<string | undefined> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onerror = () => resolve(undefined);
    reader.onload = () => {
      const url = String(reader.result);
      resolve(url.replace(/^data:[^;,]*/, (head) => `${head};name=${encodeURIComponent(file.name)}`));
    };
    reader.readAsDataURL(file);
  });
}
