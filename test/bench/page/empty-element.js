import { html, LitElement } from 'lit';

/** The least that a page with an element made with Lit pays. */
class EmptyElement extends LitElement {
  render() {
    return html`<p></p>`;
  }
}
customElements.define('empty-element', EmptyElement);
