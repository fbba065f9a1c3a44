/** Adds a button to each block of code that copies it. */
export function addCopyButtons(blocks: Iterable<Element>): void {
  for (const block of blocks) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => void copy(block, button));
    block.querySelector('figcaption')?.append(button);
  }
}

async function copy(block: Element, button: HTMLButtonElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '');
    button.textContent = 'Copied';
  } catch {
    const code = block.querySelector('code');
    if (code) getSelection()?.selectAllChildren(code);
    button.textContent = 'Selected: press Ctrl+C';
  }
  button.addEventListener('blur', () => (button.textContent = 'Copy'), { once: true });
}
