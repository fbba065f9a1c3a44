// What every page of the bench measures in itself, the same way.
const endMark = 'endofanswer';
const frame = 1000 / 60;

/**
 * Asks for an answer and measures its way onto the screen.
 * @param {object} page
 * @param {(prompt: string) => void} page.send starts the run
 * @param {() => string} page.lastText text at the end of the answer as it stands in the page
 * @param {(seen: () => boolean) => void} page.watch calls `seen` after each change of the page until it says true
 * @param {string} prompt
 */
export async function measure({ send, lastText, watch }, prompt) {
  const longTasks = [];
  const observer = new PerformanceObserver((list) =>
    longTasks.push(...list.getEntries().map(({ duration }) => duration)),
  );
  observer.observe({ type: 'longtask' });
  let lastByte = 0;
  const bytes = new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (entry.name.includes('/runs/stream')) lastByte = entry.responseEnd;
  });
  bytes.observe({ type: 'resource' });
  let frames = 0;
  let missed = 0;
  let before = 0;
  let running = true;
  let shown = 0;
  let drawnText = '';
  /** When a frame was drawn with other text than the one before. */
  const draws = [];
  // a message sent in a frame arrives when that frame is drawn
  const drawn = new MessageChannel();
  const finished = new Promise((resolve) => {
    drawn.port1.onmessage = () => {
      if (!shown) {
        const text = lastText();
        if (text !== drawnText) draws.push(performance.now());
        drawnText = text;
        if (text.includes(endMark)) shown = performance.now();
      }
      if (!running || !shown || !lastByte) return;
      running = false;
      resolve(shown - lastByte);
    };
    const tick = (now) => {
      if (before) {
        frames++;
        missed += Math.max(0, Math.round((now - before) / frame) - 1);
      }
      before = now;
      if (!running) return;
      drawn.port2.postMessage(undefined);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  const start = performance.now();
  const firstSeen = new Promise((resolve) => {
    watch(() => {
      if (lastText() === '') return false;
      resolve(performance.now() - start);
      return true;
    });
  });
  send(prompt);
  const firstToken = await firstSeen;
  const painted = await finished;
  observer.disconnect();
  bytes.disconnect();
  drawn.port1.close();
  const drawsPerSecond = (1000 * (draws.length - 1)) / (draws.at(-1) - draws[0]);
  return { firstToken, painted, frames, missed, drawsPerSecond, longTasks: longTasks.length };
}

/** Asks the way the widget does, without any of it: hands each network read's new text to `append`. */
export async function readAnswer(prompt, append) {
  const response = await fetch('/api/v1/hub/runs/stream', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ message: { role: 'user', content: [{ response_type: 'text', text: prompt }] } }),
  });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let left = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const records = (left + value).split('\n\n');
    left = records.pop();
    let text = '';
    for (const record of records) {
      const { event, data } = JSON.parse(record.slice(record.indexOf('data: ') + 6));
      if (event === 'message.delta') text += data.delta.content[0].text;
    }
    if (text) append(text);
  }
}

/** A scroller as large as the widget's, which follows its end as the widget's does. */
export function createScroller() {
  const scroller = document.createElement('div');
  scroller.id = 'scroller';
  const content = document.createElement('div');
  scroller.append(content);
  document.body.append(scroller);
  new ResizeObserver(() => {
    scroller.scrollTop = scroller.scrollHeight;
  }).observe(content);
  return content;
}

/** Watches one root for the first text in it. */
export function watchRoot(root) {
  return (seen) => {
    const observer = new MutationObserver(() => {
      if (seen()) observer.disconnect();
    });
    observer.observe(root, { childList: true, characterData: true, subtree: true });
  };
}
