import { html, nothing } from 'lit';
import { state } from 'lit/decorators.js';
import { FormOpenEvent } from '../../events/panel-events.ts';
import { text } from '../read-item.ts';
import { ApprovalCardElement } from './approval-card.ts';
import { readArguments } from './argument-schema.ts';
import { withVisibleControls } from '../visible-controls.ts';
import { PageToolWatchEvent, type PageToolView } from './page-tool-events.ts';
import { focusLine, renderSettled } from './render-settled.ts';

/**
 * The call of a page tool: asks for the visitor's consent where that is needed, and shows the outcome. It shows nothing
 * where nothing runs page tools.
 *
 * @summary The call of a page tool.
 * @element agent-chat-page-tool
 * @fires {PageToolWatchEvent} agent-chat-decision-watch - Asks where the call stands.
 * @csspart item-frame - The card.
 * @csspart item-title - What will be done.
 * @csspart item-description - That it is done by this page.
 * @csspart item-badge - Where the call stands.
 * @csspart item-actions - The row of buttons.
 * @csspart item-button - A button.
 * @csspart answer - The arguments.
 */
export class PageToolElement extends ApprovalCardElement {
  @state() private call: PageToolView | undefined;
  #event: PageToolWatchEvent | undefined;
  #shown: PageToolView['state'] | undefined;

  protected override startWatch(signal: AbortSignal): Promise<void> {
    const onChange = (call: PageToolView): void => {
      this.call = call;
      this.isKnown = true;
    };
    const init = { messageId: this.context.message.id, itemId: this.item.id, onChange };
    this.#event = new PageToolWatchEvent(init, signal);
    const isWatched = !this.dispatchEvent(this.#event);
    this.isKnown ||= !isWatched;
    return Promise.resolve();
  }

  protected override updated(): void {
    super.updated();
    const { call } = this;
    if (!call || call.state === this.#shown) return;
    const isFirst = this.#shown === undefined;
    this.#shown = call.state;
    const { state: current, title } = call;
    if (isFirst && current === 'asked' && this.offsetHeight > 0) this.dispatchEvent(new FormOpenEvent());
    if (current === 'asked') this.announce(`${this.#stateText(call)} ${title}`);
    // after a choice the focus is on the line that says it is in progress
    else if (!isFirst && current !== 'running') this.announce(`${title}: ${this.#stateText(call)}`);
  }

  protected override renderContent(): unknown {
    const { call } = this;
    if (!call || !this.hasStrings) return nothing;
    return call.state === 'asked' ? this.renderOpen(call) : this.renderSettled(call);
  }

  private renderOpen(call: PageToolView): unknown {
    return this.renderQuestion({
      ask: this.#stateText(call),
      title: withVisibleControls(call.title),
      about: html`${this.renderLine('page-tool.here')}${call.isReadOnly ? this.renderLine('page-tool.reads') : nothing}`,
      body: html`${this.renderArguments(call)} ${this.renderChoices(call)}`,
    });
  }

  private renderSettled(call: PageToolView): unknown {
    const { state: current, error, args } = call;
    return renderSettled({
      look: current === 'gone' ? 'failed' : current === 'waiting' ? 'sending' : current,
      title: withVisibleControls(call.title),
      outcome: this.#stateText(call),
      time: nothing,
      help: current === 'failed' ? text(error, 500) : '',
      details: Object.keys(args).length
        ? html`${this.renderLine('page-tool.here')}${this.renderArguments(call)}`
        : nothing,
    });
  }

  private renderLine(key: 'page-tool.here' | 'page-tool.reads'): unknown {
    return html`<p class="description" part="item-description">${this.t(key)}</p>`;
  }

  private renderArguments({ schema, args }: PageToolView): unknown {
    const all = readArguments(schema, args);
    return all.length ? this.renderArgumentList(all, schema) : nothing;
  }

  private renderChoices({ isRemembered }: PageToolView): unknown {
    const allow = isRemembered ? 'page-tool.allow-always' : 'page-tool.allow';
    return html`<div class="choices" part="item-actions">
      ${this.renderButton('page-tool.decline', () => this.#choose(false), { style: 'decline' })}
      ${this.renderButton(allow, () => this.#choose(true), { style: 'main' })}
    </div>`;
  }

  #stateText({ state: current }: PageToolView): string {
    return this.t(
      current === 'settled' || current === 'expired' || current === 'unknown'
        ? `decision.${current}`
        : `page-tool.${current}`,
    );
  }

  #choose(isAllowed: boolean): void {
    this.#event?.choose?.(isAllowed);
    focusLine(this.renderRoot);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-chat-page-tool': PageToolElement;
  }
}
