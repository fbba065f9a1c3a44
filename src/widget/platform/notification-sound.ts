const durationSeconds = 0.32;

/** Plays a short, soft tone of two notes. Silent where the browser does not allow sound yet. */
export function playNotificationSound(): void {
  try {
    const audio = new AudioContext();
    const volume = audio.createGain();
    const end = audio.currentTime + durationSeconds;
    volume.gain.setValueAtTime(0.0001, audio.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.12, audio.currentTime + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, end);
    volume.connect(audio.destination);
    const note = audio.createOscillator();
    note.frequency.setValueAtTime(659, audio.currentTime);
    note.frequency.setValueAtTime(880, audio.currentTime + durationSeconds / 3);
    note.connect(volume);
    const close = (): void => void audio.close().catch(() => undefined);
    note.onended = close;
    note.start();
    note.stop(end);
    if (audio.state === 'suspended') close(); // browsers permit sound only after an interaction
  } catch {
    // the engine does not support audio
  }
}
