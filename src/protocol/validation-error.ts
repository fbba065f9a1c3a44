import * as z from 'zod/mini';

/**
 * One problem of a rejected request. In the interface's table, `loc` contains strings; in practice, it
 * contains integers too.
 * @source interface, "Validation error body"
 */
export const validationProblemSchema = z.looseObject({
  loc: z.array(z.union([z.string(), z.number()])),
  msg: z.string(),
  type: z.string(),
});
export type ValidationProblem = z.infer<typeof validationProblemSchema>;

/** The body of a rejected request. @source interface, "Validation error body" */
export const validationErrorSchema = z.looseObject({
  detail: z.array(validationProblemSchema),
});
export type ValidationErrorBody = z.infer<typeof validationErrorSchema>;
