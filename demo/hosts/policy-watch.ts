// Counts CSP violations on the page; the chat must never cause one.
let blocked = 0;
const show = () => {
  const count = document.querySelector('#violations');
  if (count)
    count.textContent = blocked === 0 ? 'Nothing has been blocked.' : `${blocked} things have been blocked.`;
};
document.addEventListener('securitypolicyviolation', (event) => {
  blocked += 1;
  show();
  const item = document.createElement('li');
  item.textContent = `${event.effectiveDirective}: ${event.blockedURI} (${event.sourceFile}:${event.lineNumber})`;
  document.querySelector('#blocked')?.append(item);
});
show();
