import { html, nothing } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { fileIcon, removeIcon } from '../theme/late-icons.ts';
import { fileName } from '../content/answer-list.ts';
import { icon } from '../theme/icon.ts';
import type { FormControls } from './form-controls.ts';
import type { ValueField } from './form-model.ts';
import { own, ownNumber } from './json.ts';
import { describedBy } from './field-parts.ts';

/** Megabytes a file in a form may have, unless the form says otherwise: it travels inside the message. */
const megabytes = 5;

/** Files that become part of the answer, as `data:` URLs that carry their name. */
export function renderFile(field: ValueField, controls: FormControls, label?: string): unknown {
  const several = own(field.schema, 'type') === 'array';
  const files = (Array.isArray(field.value) ? field.value : [field.value]).filter(
    (file) => typeof file === 'string' && file !== '',
  );
  return html`${
      files.length
        ? html`<ul class="files">
            ${files.map((file, index) => renderChosen(field, controls, file, index, files))}
          </ul>`
        : nothing
    }
    <input
      class="field file"
      part="form-control"
      type="file"
      id=${controls.idOf(field)}
      accept=${ifDefined(field.hints.accept)}
      ?multiple=${several}
      aria-label=${ifDefined(label)}
      aria-describedby=${ifDefined(describedBy(field, controls))}
      aria-invalid=${controls.faultOf(field) ? 'true' : nothing}
      ?disabled=${field.readonly}
      @change=${(event: Event) => void take(event, field, controls, several ? files : [])}
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
  return html`<li>
    ${icon(fileIcon)}<span>${name}</span>
    ${
      field.readonly
        ? nothing
        : html`<button
            type="button"
            class="icon-button small"
            aria-label=${controls.say('file.remove', { name })}
            @click=${() => controls.setValue(field.path, Array.isArray(field.value) && rest.length ? rest : undefined)}
          >
            ${icon(removeIcon)}
          </button>`
    }
  </li>`;
}

async function take(
  event: Event,
  field: ValueField,
  controls: FormControls,
  before: readonly unknown[],
): Promise<void> {
  // The listener sits on a file input.
  const input = event.target as HTMLInputElement;
  const files = [...(input.files ?? [])];
  const limit =
    ownNumber(field.hints.options, 'maxFileSizeMB') ??
    ownNumber(field.hints.options, 'maxSingleFileSizeMB') ??
    megabytes;
  if (files.some(({ size }) => size > limit * 1_000_000)) {
    input.value = '';
    controls.setValue(field.path, field.value, { path: field.path, keyword: 'fileSize', limit });
    return;
  }
  const urls = await Promise.all(files.map(readFile));
  input.value = '';
  if (!urls.length) return;
  controls.setValue(field.path, own(field.schema, 'type') === 'array' ? [...before, ...urls] : urls[0]);
}

function readFile(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onerror = () => reject(reader.error ?? new Error('The file could not be read.'));
    reader.onload = () => {
      const url = String(reader.result);
      resolve(url.replace(/^data:[^;,]*/, (head) => `${head};name=${encodeURIComponent(file.name)}`));
    };
    reader.readAsDataURL(file);
  });
}
