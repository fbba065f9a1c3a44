import { SchemaDocument } from '../../../../../src/widget/content/form/schema/schema-document.ts';
import { validate, type ValidationOutcome } from '../../../../../src/widget/content/form/schema/validate.ts';

/** Validates data against a schema that is used once. */
export function validateSchema(schema: unknown, data: unknown): ValidationOutcome {
  return validate(new SchemaDocument(schema), data);
}
