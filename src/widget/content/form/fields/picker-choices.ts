import type { Choice } from '../form-model.ts';
import { own, ownList } from '../schema/json.ts';
import type { UiHints } from '../ui-schema.ts';

/** Maximum number of choices of a people or resource picker. */
const maxPickerChoices = 500;

/** Choices of a people or resource picker, from its hints: texts, or objects with a name and an id. */
export function pickerChoices({ options }: UiHints): readonly Choice[] {
  const entries = ['enumOptions', 'options', 'users', 'items']
    .map((key) => ownList(options, key))
    .find(({ length }) => length > 0);
  return (entries ?? []).slice(0, maxPickerChoices).flatMap((entry) => {
    const value =
      typeof entry === 'string' ? entry : (own(entry, 'value') ?? own(entry, 'id') ?? own(entry, 'email'));
    const label = typeof entry === 'string' ? entry : (own(entry, 'label') ?? own(entry, 'name') ?? value);
    return value === undefined ? [] : [{ label: String(label), description: '', value, disabled: false }];
  });
}
