import type { PropertyDeclaration, ReactiveElement } from 'lit';

/*
 * Lit's decorators as far as this project uses them. The build of the script puts this file in their place: theirs also
 * hold the other, newer kind of decorator, which no browser runs yet and this project's compiler does not write.
 */

type FieldDecorator = (prototype: object, name: PropertyKey) => void;

/** A property that redraws its element when it changes. */
export function property(options?: PropertyDeclaration): FieldDecorator {
  return (prototype, name) => {
    (prototype.constructor as typeof ReactiveElement).createProperty(name, options); // fields of elements only
  };
}

/** A property that redraws its element and is nobody else's. */
export function state(): FieldDecorator {
  return property({ state: true, attribute: false });
}

/** The first element in the shadow tree that a selector matches, looked up each time. */
export function query(selector: string): FieldDecorator {
  return (prototype, name) => {
    Object.defineProperty(prototype, name, {
      configurable: true,
      get(this: ReactiveElement) {
        return this.renderRoot.querySelector(selector);
      },
    });
  };
}
