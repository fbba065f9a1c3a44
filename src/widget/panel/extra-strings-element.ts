import { LitElement } from 'lit';
import { property } from 'lit/decorators.js';
import { addExtraStrings } from '../i18n/extra-strings.ts';
import { defaultStrings, type Strings } from '../i18n/strings.ts';

/** An element of the panel with strings that load with it. Nothing is rendered before they are there. */
export abstract class ExtraStringsElement extends LitElement {
  @property({ attribute: false }) words: Strings = defaultStrings;

  protected override shouldUpdate(): boolean {
    const stringsAdded = addExtraStrings(this.words);
    void stringsAdded?.then(() => this.requestUpdate());
    return !stringsAdded;
  }
}
