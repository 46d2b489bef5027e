import { element } from './elements.ts';

/** A time in UTC and its distance from now, which `tellTimes` updates. */
export function time(at: string | undefined): HTMLElement | undefined {
  if (at === undefined) return undefined;
  const made = element('time', { datetime: at }, `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`);
  return element(
    'span',
    { class: 'time' },
    made,
    ' ',
    element('span', { class: 'faint', 'data-at': at }, distance(at)),
  );
}

export function tellTimes(): void {
  for (const one of document.querySelectorAll<HTMLElement>('[data-at]')) {
    const text = distance(one.dataset['at'] ?? '');
    if (one.textContent !== text) one.textContent = text;
  }
}

function distance(at: string): string {
  const seconds = Math.round((Date.parse(at) - Date.now()) / 1000);
  if (Number.isNaN(seconds)) return '';
  const duration = inWords(Math.abs(seconds));
  return seconds > 0 ? `in ${duration}` : `${duration} ago`;
}

function inWords(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`;
}
