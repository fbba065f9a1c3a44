// streamdown, without plugins.
import { createElement, createRoot, Streamdown } from '/peer/streamdown/streamdown.js';
import { showAnswers } from '/peers/react-page.js';

showAnswers(createRoot, (text, isAnimating) => createElement(Streamdown, { isAnimating }, text));
