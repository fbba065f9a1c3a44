/** Text without case, accents and width of letters, for comparison with typed text. */
export function foldText(text: string): string {
  return (
    text
      .normalize('NFKD')
      // the voicing marks of kana make other letters: ハ, バ, パ
      .replace(/(?![\u3099\u309a])\p{Mn}/gu, '')
      .toUpperCase()
      .toLowerCase()
  );
}
