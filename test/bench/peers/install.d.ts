export function explainFailure(wanted: string, output: string): string;
