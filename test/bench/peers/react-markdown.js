// react-markdown with GFM: what a team writes that renders answers in React itself.
import { createElement, createRoot, Markdown, remarkGfm } from '/peer/react-markdown/react-markdown.js';
import { showAnswers } from '/peers/react-page.js';

const remarkPlugins = [remarkGfm];
showAnswers(createRoot, (text) => createElement(Markdown, { remarkPlugins }, text));
