import { html, nothing } from 'lit';
import { state } from 'lit/decorators.js';
import { isQuestion, readDecision, type DecisionView } from '../../../conversation/tool-decision.ts';
import { emptyConversation } from '../../../conversation/conversation.ts';
import { deviceTime, serviceTime } from '../../../protocol/service-clock.ts';
import { FormOpenEvent } from '../../events/panel-events.ts';
import { defineElement } from '../../platform/define-element.ts';
import { loadModule } from '../../platform/load-module.ts';
import { icon } from '../../theme/icons.ts';
import type { ItemAnswerEvent } from '../item-events.ts';
import { asObject, itemFields, text, type Fields } from '../read-item.ts';
import { ApprovalCardElement } from './approval-card.ts';
import { longTextHints, readArguments } from './argument-schema.ts';
import { decisionAnswer } from './decision-answer.ts';
import { DecisionWatchEvent } from './decision-events.ts';
import { clockIcon, isUnderWay } from './decision-look.ts';
import { formatDecisionTime, maxTimeoutMs } from './decision-time.ts';
import { focusLine, renderSettled } from './render-settled.ts';
import { renderTool, serverName, toolTitle } from './render-tool.ts';

/** Arguments that are shown at first. */
const initialArguments = 12;
/** One state follows the other within moments: only the first is announced. */
const started: ReadonlySet<DecisionView['state']> = new Set(['approved', 'running'] as const);

/**
 * Asks before a tool is called: what will be done, on which system, with which arguments. The visitor approves,
 * changes the arguments, or declines. Nothing is preselected, and nothing here takes focus by itself. Afterwards it
 * shows what was decided and what became of it.
 *
 * @summary A decision about a tool call.
 * @element agent-chat-decision
 * @fires {ItemAnswerEvent} agent-chat-item-answer - Approved or declined, with the `form_operation` message.
 * @fires {DecisionWatchEvent} agent-chat-decision-watch - Asks where the decision stands.
 * @csspart item-frame - The card.
 * @csspart item-title - What will be done.
 * @csspart item-description - The system that it acts on.
 * @csspart item-badge - Where the decision stands.
 * @csspart item-actions - The row of buttons.
 * @csspart item-button - A button.
 * @csspart answer - The arguments.
 */
export class DecisionElement extends ApprovalCardElement {
  /** What the visitor is about to do, beyond reading. */
  @state() private mode: 'read' | 'edit' | 'decline' = 'read';
  @state() private decision: DecisionView | undefined;
  /** What the visitor has decided on, until the conversation has it: the page may delay it. */
  @state() private pending: Partial<DecisionView> | undefined;
  /** The visitor's reason to decline, kept while the card goes back and forth. */
  #reason = '';
  #deadline: ReturnType<typeof setTimeout> | undefined;
  /** Whether the visitor decided on this page, so that every change is announced and kept in view. */
  #isDecider = false;
  /** The state that was rendered last. */
  #shown: DecisionView['state'] | undefined;
  /** What the visitor approved in place of the arguments; kept in case the service refuses it. */
  #edited: Fields | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#deadline);
  }

  /** Resolves when the state of the decision is known. */
  protected override startWatch(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const init = {
        messageId: this.context.message.id,
        itemId: this.item.id,
        card: this,
        onChange: (decision: DecisionView) => {
          this.decision = decision;
          if (decision.state !== 'asked') this.pending = undefined;
          this.isKnown = true;
          resolve();
        },
      };
      signal.addEventListener('abort', () => resolve());
      const isWatched = !this.dispatchEvent(new DecisionWatchEvent(init, signal));
      if (isWatched) return;
      this.isKnown = true;
      resolve();
    });
  }

  protected override firstUpdated(): void {
    if (!this.hasStrings) return;
    const first = this.context.message.items.find(({ source }) => isQuestion(source));
    if (this.#view.state === 'asked' && (!first || first.id === this.item.id) && this.offsetHeight > 0)
      this.dispatchEvent(new FormOpenEvent());
  }

  protected override willUpdate(): void {
    super.willUpdate();
    clearTimeout(this.#deadline);
    if (!this.hasStrings) return;
    const { expiresAt, state: current } = this.#view;
    if (expiresAt === undefined || current !== 'asked') return;
    const delay = Math.min(expiresAt - serviceTime(), maxTimeoutMs);
    this.#deadline = setTimeout(() => this.requestUpdate(), Math.max(0, delay) + 50);
  }

  protected override updated(): void {
    super.updated();
    if (!this.hasStrings) return;
    const { state: current } = this.#view;
    const before = this.#shown;
    this.#shown = current;
    if (before === undefined || before === current) return;
    const isTakenElsewhere = (before === 'asked' || before === 'sending') && current !== 'asked';
    if (this.#isDecider) this.dispatchEvent(new FormOpenEvent()); // the card stays in view while the answer grows below it
    else if (!isTakenElsewhere) return;
    if (current === 'sending' || (started.has(before) && started.has(current))) return;
    if (current === 'asked') this.#isDecider = false;
    else if (this.mode === 'edit')
      void import('../form/form-draft.ts').then((part) => part.deleteDraft(this)).catch(() => undefined);
    const { refusal } = this.#view;
    const text = current === 'asked' && refusal ? this.#refusalText(refusal) : this.#stateText(current);
    this.announce(`${toolTitle(itemFields(this.item))}: ${text}`);
  }

  protected override renderContent(fields: Fields): unknown {
    if (!this.hasStrings) return nothing;
    const view = this.#view;
    return view.state === 'asked' ? this.renderOpen(fields, view) : this.renderSettled(fields, view);
  }

  private renderOpen(fields: Fields, view: DecisionView): unknown {
    const title = toolTitle(fields);
    const isEditing = this.mode === 'edit';
    const { refusal } = view;
    return this.renderQuestion({
      ask: this.#stateText('asked'),
      title,
      about: renderTool(fields, { isOpen: true, title, words: this.context.words }),
      body: html`${refusal === undefined ? nothing : html`<p class="fault">${this.#refusalText(refusal)}</p>`}
      ${isEditing ? this.renderDeadline(view) : this.renderArguments(fields, view.data)}
      ${isEditing ? this.renderEdit(fields) : this.renderDeadline(view)}
      ${this.mode === 'decline' ? this.renderDecline() : isEditing ? nothing : this.renderChoices(fields)}`,
      onKeydown: this.#onKeydown,
    });
  }

  private renderDeadline({ expiresAt }: DecisionView): unknown {
    if (expiresAt === undefined) return nothing;
    const end = deviceTime(expiresAt); // by the clock that the visitor sees
    const time = formatDecisionTime(end, Date.now(), this.context.words.locale);
    return html`<p class="until">${icon(clockIcon)}${this.t('decision.expires', { time })}</p>`;
  }

  private renderArguments(fields: Fields, data: Fields): unknown {
    const schema = asObject(fields['json_schema']);
    const all = readArguments(schema, data);
    if (!all.length) return html`<p class="help">${this.t('decision.empty')}</p>`;
    return this.renderArgumentList(all, schema, initialArguments + this.extraEntries);
  }

  private renderChoices(fields: Fields): unknown {
    // as long as the question itself is arriving, there is nothing to decide
    const isDisabled = this.context.streaming;
    const canEdit = Object.keys(asObject(asObject(fields['json_schema'])['properties'])).length > 0;
    const button = (kind: 'decline' | 'edit' | 'approve', onClick: () => void): unknown =>
      this.renderButton(`decision.${kind}`, onClick, {
        style: kind === 'approve' ? 'main' : kind,
        isDisabled,
      });
    return html`<div class="choices" part="item-actions">
      ${button('decline', () => this.#enter('decline'))}
      ${canEdit ? button('edit', () => void this.#edit()) : nothing}
      ${button('approve', () => this.#decide('submit', this.#view.data))}
    </div>`;
  }

  private renderDecline(): unknown {
    return html`<form class="reason" @submit=${this.#onDecline}>
      <label class="label" for="reason">${this.t('decision.reason')}</label>
      <textarea
        class="field"
        id="reason"
        rows="2"
        maxlength="2000"
        dir="auto"
        .value=${this.#reason}
        @input=${(event: Event) => (this.#reason = (event.target as HTMLTextAreaElement).value)}
      ></textarea>
      <div class="choices" part="item-actions">
        <button class="button" type="button" part="item-button" @click=${() => this.#leave('decline')}>
          ${this.t('decision.back')}
        </button>
        <button
          class="button main"
          part="item-button"
          aria-describedby="title"
          @click=${(event: MouseEvent) => event.detail > 1 && event.preventDefault()}
        >
          ${this.t('decision.decline')}
        </button>
      </div>
    </form>`;
  }

  private renderEdit(fields: Fields): unknown {
    const { title: _title, description: _description, ...schema } = asObject(fields['json_schema']);
    const ui = {
      ...longTextHints(this.#view.data),
      ...asObject(fields['ui_schema']),
      'ui:submitButtonOptions': { submitText: this.t('decision.approve-changed') },
      'ui:cancelButtonOptions': { showCancel: true, cancelText: this.t('decision.back') },
    };
    const source = { id: this.item.id, response_type: 'forms', json_schema: schema, ui_schema: ui };
    const item = { ...this.item, source: { ...source, form_data: this.#edited ?? fields['form_data'] } };
    const context = { ...this.context, answer: undefined, active: true, closed: false };
    return html`<agent-chat-form
      .item=${item}
      .context=${context}
      @agent-chat-item-answer=${this.#onFormAnswer}
    ></agent-chat-form>`;
  }

  private renderSettled(fields: Fields, view: DecisionView): unknown {
    const { state: current, data, decidedAt } = view;
    const title = toolTitle(fields);
    const about = renderTool(fields, { isOpen: false, title, words: this.context.words });
    const locale = this.context.words.locale;
    return renderSettled({
      look: current,
      title,
      outcome: this.#stateText(current),
      time:
        decidedAt === undefined || isUnderWay(current)
          ? nothing
          : html`<time datetime=${new Date(decidedAt).toISOString()}
              >${formatDecisionTime(decidedAt, Date.now(), locale)}</time
            >`,
      help: this.#helpText(fields, view),
      details: Object.keys(data).length ? html`${about}${this.renderArguments(fields, data)}` : nothing,
    });
  }

  #helpText(fields: Fields, { state: current, error }: DecisionView): string {
    if (current === 'unknown')
      return this.t('decision.unknown-help', { name: serverName(fields) || toolTitle(fields) });
    if (current === 'settled') return this.t('decision.settled-help');
    return current === 'failed' ? text(error, 1000) : '';
  }

  get #view(): DecisionView {
    const known = this.decision ?? readDecision(emptyConversation, this.context.message, this.item);
    const isLate =
      known.state === 'asked' && known.expiresAt !== undefined && known.expiresAt <= serviceTime();
    if (known.state === 'asked' && this.pending) return { ...known, ...this.pending };
    return isLate ? { ...known, state: 'expired' } : known;
  }

  #stateText(current: DecisionView['state']): string {
    const { isChanged, reason } = this.#view;
    if (current === 'asked') return this.t('decision.ask');
    if (current === 'approved' && isChanged) return this.t('decision.changed');
    if (current === 'declined' && reason)
      return this.t('decision.declined-for', { reason: text(reason, 300) });
    if (current === 'closed') return this.t('decision.impossible');
    return this.t(`decision.${current}`);
  }

  #enter(mode: 'edit' | 'decline'): void {
    this.mode = mode;
    void this.updateComplete.then(() => {
      const form = this.renderRoot.querySelector('agent-chat-form, form.reason');
      form?.querySelector('.choices')?.scrollIntoView({ block: 'nearest' }); // the focus shows only the field
      const within = form?.shadowRoot ?? form;
      within?.querySelector<HTMLElement>('input, select, textarea, [tabindex="0"], button')?.focus();
    });
  }

  #refusalText(refusal: NonNullable<DecisionView['refusal']>): string {
    return this.t(refusal === 'arguments' ? 'decision.refused' : 'decision.undelivered');
  }

  /** Escape leaves the form or the reason, and not the chat. What was typed is kept. */
  readonly #onKeydown = (event: KeyboardEvent): void => {
    // 229: the key belongs to an input method
    if (event.key !== 'Escape' || event.keyCode === 229 || event.defaultPrevented || this.mode === 'read')
      return;
    event.preventDefault();
    this.#leave(this.mode);
  };

  #leave(from: 'edit' | 'decline'): void {
    this.mode = 'read';
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(`.${from}`)?.focus());
  }

  /** The form's code loads with the first edit. */
  async #edit(): Promise<void> {
    const part = await loadModule(this, 'forms', () => import('../form/form.ts'));
    if (!part) return;
    defineElement('agent-chat-form', part.FormElement);
    this.#enter('edit');
  }

  readonly #onFormAnswer = (event: ItemAnswerEvent): void => {
    event.stopPropagation();
    if (event.answer.action === 'cancel') return this.#leave('edit');
    const [operation] = Array.isArray(event.message?.content) ? event.message.content : [];
    this.#edited = asObject(operation?.form_data);
    this.#decide('submit', this.#edited);
  };

  readonly #onDecline = (event: Event): void => {
    event.preventDefault();
    this.#decide('cancel', {}, this.#reason.trim());
  };

  #decide(action: 'submit' | 'cancel', data: Fields, reason = ''): void {
    if (this.#view.state !== 'asked' || this.context.streaming) return;
    this.#isDecider = true;
    this.pending = { state: 'sending', ...(action === 'submit' ? { data } : {}) };
    const onRejected = (): void => (this.pending = undefined);
    this.sendAnswer({ action, data }, decisionAnswer(this.item, action, { data, reason }), onRejected);
    focusLine(this.renderRoot);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-decision': DecisionElement;
  }
}
