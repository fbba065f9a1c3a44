import type { FullResult, Reporter, TestCase, TestResult } from '@playwright/test/reporter';

/** Prints what the tests of an operator's week measured. */
export default class TableReporter implements Reporter {
  readonly #rows: Record<string, string>[] = [];

  onTestEnd(test: TestCase, result: TestResult): void {
    const figures = test.annotations.filter((one) => one.type === 'figure');
    const shown =
      figures.length > 0 ? figures.map((one) => JSON.parse(one.description ?? '[]') as string[]) : [[]];
    for (const [figure = '', value = '', goal = ''] of shown)
      this.#rows.push({ scenario: test.title, figure, value, goal, result: result.status });
  }

  onEnd(_result: FullResult): void {
    console.table(this.#rows);
  }
}
