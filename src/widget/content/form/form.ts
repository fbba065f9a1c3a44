import { html, nothing, type PropertyValues } from 'lit';
import { state } from 'lit/decorators.js';
import type { RunStatus } from '../../../conversation/conversation.ts';
import { formAnswer } from '../../../session/answer-message.ts';
import { fieldStyles } from '../../theme/field.styles.ts';
import { sharedStyles } from '../../theme/shared.styles.ts';
import { ContentElement } from '../content-element.ts';
import { renderHeading } from '../content-templates.ts';
import { FormOpenEvent } from '../../events/panel-events.ts';
import { DecisionWatchEvent } from '../decision/decision-events.ts';
import { doneIcon, icon } from '../../theme/icons.ts';
import { contentStyles } from '../content.styles.ts';
import { asObject, firstText, itemFields, text, type Fields } from '../read-item.ts';
import type { Strings } from '../../i18n/strings.ts';
import { validationMessage, isFileError } from './validation-messages.ts';
import { findAutofocusField, takeFocus } from './autofocus.ts';
import type { FormControls } from './form-controls.ts';
import { deleteDraft, saveDraft, savedDraft } from './form-draft.ts';
import { EntryEditor } from './entry-editor.ts';
import { FieldIds } from './field-ids.ts';
import type { Field } from './form-model.ts';
import { FormState, type FormInput } from './form-state.ts';
import { formStyles } from './form.styles.ts';
import { pointerOf, valueAt, type Path } from './schema/json.ts';
import { renderAnswered } from './fields/render-answered.ts';
import { renderField } from './fields/render-field.ts';
import { readButtons, readHints, rootUi } from './ui-schema.ts';
import type { ValidationError } from './schema/read-errors.ts';

/** The ends of a run with which the question of a tool's server ends. */
const brokenOff: ReadonlySet<RunStatus | undefined> = new Set(['cancelled', 'failed', 'expired'] as const);

const titleParts = 'item-title form-title'; // the title of a form is also the title of an item

/**
 * A form from `json_schema`, `ui_schema` and `form_data`, made of native controls. It is validated when it is sent,
 * and after that at each change until it is valid. Once answered, it shows the answers.
 * @source interface, "Content item"; the route of the answer is @assumed
 *
 * @summary A form.
 * @element agent-chat-form
 * @fires {ItemAnswerEvent} agent-chat-item-answer - Sent or cancelled, with the `form_operation` message.
 * @csspart form - The box.
 * @csspart form-title - The title.
 * @csspart form-field - A field with its label.
 * @csspart form-label - A label.
 * @csspart form-control - An input, select or text area.
 * @csspart form-help - A description or help text.
 * @csspart form-error - The error of a field.
 * @csspart form-submit - The submit button.
 * @csspart form-cancel - The cancel button.
 * @csspart answer - The answers, once given.
 */
export class FormElement extends ContentElement {
  static override styles = [sharedStyles, fieldStyles, contentStyles, formStyles];

  /** True from the first attempt to send; errors are shown from then on. */
  @state() private tried = false;
  /** True while a sent form waits for its files to be read. */
  @state() private isWaiting = false;
  #reading = 0;
  #state: FormState | undefined;
  #words: Strings | undefined;
  /** True when the visitor has changed anything. */
  #touched = false;
  /** Whether this form was rendered for the visitor to fill in. */
  #wasOpen = false;
  #wasAnswerable = false;
  #hadFocus = false;
  #watching: AbortController | undefined;
  /** Whether this form could be answered before; only the first time, its `ui:autofocus` field takes focus. */
  #wasActive = false;
  #errors: ReadonlyMap<string, string> = new Map();
  readonly #ids = new FieldIds();
  readonly #entries = new EntryEditor(this, this.#ids, (change) => this.#change(change));
  readonly #drafts = new Map<string, string>();

  /** The data that would be sent now. */
  get data(): unknown {
    return this.#state?.data;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    this.#hadFocus = this.shadowRoot?.activeElement != null;
    if (!(this.item as unknown) || !(this.context as unknown)) return;
    const input = inputOf(itemFields(this.item));
    if (this.context.answer) deleteDraft(this);
    if (this.#state?.isFor(input)) return this.#translate(this.#state);
    const former = this.#state;
    const state = (this.#state = new FormState(input, (number) => this.t('form.variant', { number })));
    this.tried = this.isWaiting = false;
    this.#touched = former
      ? changed.get('item')?.id === this.item.id && state.takeOver(former)
      : state.restoreDraft(savedDraft(this));
    this.#errors = new Map();
  }

  /** Updates names and errors after a change of language. */
  #translate(state: FormState): void {
    const { words } = this.context;
    if (words === this.#words) return;
    this.#words = words;
    state.renameVariants();
    if (this.tried) this.#check(state);
  }

  protected override firstUpdated(): void {
    void import('./form-operation.ts').catch(() => undefined); // so that the sent form also renders offline
  }

  protected override updated(): void {
    if (!(this.item as unknown) || !(this.context as unknown)) return;
    const isOver = this.#isOver;
    if (isOver && this.#wasAnswerable && !this.context.answer) this.#tellEnd();
    this.#wasAnswerable = !isOver && !this.closed;
    this.#watch();
    // there is no form without an item, nor before the strings of its language have loaded
    if (this.#wasActive || !this.#state || !this.renderRoot.querySelector('form')) return;
    // what a pause hides has no place
    if (!this.#wasOpen && this.offsetHeight > 0) this.dispatchEvent(new FormOpenEvent());
    this.#wasOpen = true;
    if (!this.context.active) return;
    this.#wasActive = true;
    const field = findAutofocusField(this.#state.form);
    if (field)
      void takeFocus(this, () =>
        this.renderRoot.querySelector(`#${this.#ids.idOf(field.pointer)}[part~=form-control]`),
      );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#endWatch();
  }

  #endWatch(): void {
    this.#watching?.abort();
    this.#watching = undefined;
  }

  /** As long as the question of a tool's server is open, looks whether it was answered, or has ended, elsewhere. */
  #watch(): void {
    const asks = asObject(itemFields(this.item)['decision'])['state'] === 'asked';
    if (!asks || !this.#wasAnswerable || this.context.answer) return this.#endWatch();
    if (this.#watching) return;
    this.#watching = new AbortController();
    const init = { messageId: this.context.message.id, itemId: this.item.id, card: this, onChange: ignore };
    this.dispatchEvent(new DecisionWatchEvent(init, this.#watching.signal));
  }

  /** Tells that the question has ended while it could be answered. */
  #tellEnd(): void {
    const title = this.renderRoot.querySelector('[part~=form-title]')?.textContent ?? '';
    this.announce(`${title}: ${this.t('content.closed')}`);
    if (this.#hadFocus) this.renderRoot.querySelector('section')?.focus({ preventScroll: true });
  }

  /** Whether a tool's server asked, and waits for the answer no longer: it said so, or its run broke off. */
  get #isOver(): boolean {
    const { state: current } = asObject(itemFields(this.item)['decision']);
    return current === 'expired' || (current === 'asked' && brokenOff.has(this.context.runStatus));
  }

  protected override get closed(): boolean {
    return super.closed || (this.#isOver && !this.context.answer);
  }

  protected override get answerable(): boolean {
    return super.answerable && !this.#isOver;
  }

  protected override renderContent(fields: Fields): unknown {
    const state = this.#state;
    if (!state?.readable)
      return html`<div class="notice" part="item-notice">${this.t('form.unreadable')}</div>`;
    const { answer } = this.context;
    if (answer) return this.renderClosed(fields, answer.action === 'cancel', answer.data);
    const operation = text(fields['form_operation']);
    if (operation === 'submit' || operation === 'cancel') {
      return this.renderClosed(fields, operation === 'cancel', fields['form_data']);
    }
    const { state: current, form_data: data } = asObject(fields['decision']);
    if (current === 'approved' || current === 'declined')
      return this.renderClosed(fields, current === 'declined', data);
    return this.closed ? this.renderPassed(fields, state) : this.renderOpen(fields, state);
  }

  private renderOpen(fields: Fields, state: FormState): unknown {
    const title = this.#title(fields, state.form);
    const count = this.#errors.size;
    return html`<form
      class="frame"
      part="form"
      novalidate
      aria-label=${title || this.t('form.label')}
      @submit=${this.#submit}
    >
      ${this.renderHeading(title, state.form)} ${renderField(labelled(state.form, title), this.#controls)}
      ${this.tried && count ? html`<p class="summary">${this.t('form.faults', { count })}</p>` : nothing}
      ${this.renderButtons(fields)}
    </form>`;
  }

  private renderHeading(title: string, form: Field): unknown {
    const description = form.kind === 'group' ? form.description : '';
    return renderHeading(title, description, { parts: titleParts });
  }

  private renderButtons(fields: Fields): unknown {
    const buttons = readButtons(fields['ui_schema']);
    const disabled = this.context.active ? nothing : 'true';
    return html`<div class="actions end" part="item-actions">
      ${
        buttons.showCancel
          ? html`<button
              type="button"
              class="button"
              part="form-cancel"
              aria-disabled=${disabled}
              @click=${this.#cancel}
            >
              ${buttons.cancel ?? this.t('form.cancel')}
            </button>`
          : nothing
      }
      ${
        buttons.showSubmit
          ? html`<button
              class="button main"
              part="form-submit"
              aria-disabled=${this.isWaiting ? 'true' : disabled}
              aria-busy=${this.isWaiting ? 'true' : nothing}
            >
              ${buttons.submit ?? this.t('form.submit')}
            </button>`
          : nothing
      }
    </div>`;
  }

  private renderClosed(fields: Fields, cancelled: boolean, data: unknown): unknown {
    const { schema, ui } = inputOf(fields);
    const answered = new FormState({ schema, ui, data }, (number) => this.t('form.variant', { number }));
    const title = this.#title(fields, answered.form);
    return html`<section class="frame" part="form" aria-label=${title || this.t('form.label')}>
      ${renderHeading(title, '', { parts: titleParts })}
      ${cancelled ? nothing : renderAnswered(labelled(answered.form, title), this.#controls)}
      <p class=${cancelled ? 'outcome' : 'outcome done'}>
        ${cancelled ? nothing : icon(doneIcon)}${this.t(cancelled ? 'form.cancelled' : 'form.submitted')}
      </p>
    </section>`;
  }

  /** Renders the input of a form that was not sent in time. */
  private renderPassed(fields: Fields, state: FormState): unknown {
    const title = this.#title(fields, state.form);
    return html`<section class="frame" part="form" tabindex="-1" aria-label=${title || this.t('form.label')}>
      ${this.renderHeading(title, state.form)}
      ${this.#touched ? renderAnswered(labelled(state.form, title), this.#controls) : nothing}
      ${this.renderClosedNote()}
    </section>`;
  }

  #title(fields: Fields, form: Field): string {
    const ui = rootUi(fields['ui_schema']);
    return firstText(
      readHints(ui).title,
      form.kind === 'group' ? form.label : '',
      fields['title'],
      fields['name'],
    );
  }

  get #controls(): FormControls {
    return {
      context: this.context,
      t: (key, values) => this.t(key, values),
      idOf: ({ pointer }) => this.#ids.idOf(pointer),
      errorOf: ({ pointer }) => this.#errors.get(pointer) ?? '',
      drafts: this.#drafts,
      valueAt: (path) => valueAt(this.data, path),
      renderField: (field) => renderField(field, this.#controls),
      setValue: (path, value, error) => this.#setValue(path, value, error),
      waitFor: (work) => void this.#waitFor(work),
      chooseVariant: (field, variant) => this.#change((state) => state.chooseVariant(field, variant)),
      entries: this.#entries,
    };
  }

  #change(change: (state: FormState) => void): void {
    const state = this.#state;
    if (!state) return;
    change(state);
    this.#touched = true;
    saveDraft(this, state.draft);
    if (this.tried || this.#errors.size) this.#check(state);
    this.requestUpdate();
  }

  #setValue(path: Path, value: unknown, error?: ValidationError): void {
    this.#change((state) => {
      state.setValue(path, value, error);
      if (isFileError(error)) this.#check(state);
    });
    if (isFileError(error)) this.announce(this.#errors.get(pointerOf(path)) ?? '');
  }

  #check(state: FormState): boolean {
    // show a rejected file at once, because it looks as if it was chosen
    const errors = state.errors().filter(({ error }) => this.tried || isFileError(error));
    this.#errors = new Map(
      errors.map(({ error, field }) => [field.pointer, validationMessage(error, field, this.context.words)]),
    );
    return errors.length === 0;
  }

  async #waitFor(work: Promise<void>): Promise<void> {
    this.#reading += 1;
    await work;
    this.#reading -= 1;
    if (this.isWaiting) this.#submit();
  }

  #submit(event?: Event): void {
    event?.preventDefault();
    const state = this.#state;
    if (!state || !this.answerable) return;
    this.isWaiting = this.#reading > 0;
    if (this.isWaiting) return;
    this.#readDates();
    this.tried = true;
    const isValid = this.#check(state);
    this.requestUpdate();
    if (isValid) return this.#send('submit', state.data);
    void this.#reportFaults();
  }

  /** Has dates and times read that are incomplete or have an error: while they have no value, they fire no event. */
  #readDates(): void {
    const dates = 'input:is(.date, .time, .datetime-local)';
    for (const input of this.renderRoot.querySelectorAll<HTMLInputElement>(dates))
      if (input.validity.badInput || input.ariaInvalid) input.dispatchEvent(new Event('input'));
  }

  #cancel(): void {
    this.isWaiting = false;
    if (this.answerable) this.#send('cancel', this.#state?.input.data ?? {});
  }

  #send(operation: 'submit' | 'cancel', data: unknown): void {
    const message = formAnswer(this.item, operation, data);
    this.sendAnswer({ action: operation, data: this.#state?.withoutSecrets(data) ?? {} }, message);
  }

  /** Says how many answers are wrong, and moves the focus to the first of them. */
  async #reportFaults(): Promise<void> {
    await this.updateComplete;
    const field = this.renderRoot.querySelector('[data-fault]');
    const closed = field?.querySelector('details:not([open])');
    closed?.setAttribute('open', '');
    const find = (selector: string) => field?.querySelector<HTMLElement>(selector);
    const control = find('input[aria-invalid=true]') ?? find('input, select, textarea, summary, button');
    const count = this.t('form.faults', { count: this.#errors.size });
    // a screen reader does not read the field again that has the focus already
    const hasFocus = control && control === this.shadowRoot?.activeElement;
    this.announce(hasFocus ? `${count} ${find('.fault')?.textContent ?? ''}` : count);
    control?.focus();
  }
}

function ignore(): void {}

function inputOf(fields: Fields): FormInput {
  return {
    schema: asObject(fields['json_schema']),
    ui: fields['ui_schema'] ?? {},
    data: fields['form_data'],
  };
}

/** Names a form that is a single field without a label by its title; a group has the title as its heading. */
function labelled(form: Field, title: string): Field {
  return form.kind !== 'group' && form.label === '' ? { ...form, label: title } : form;
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-form': FormElement;
  }
}
