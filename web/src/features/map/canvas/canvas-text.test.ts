import { describe, expect, it } from 'vitest';
import { fitText, isolate } from './canvas-text.ts';

const measure = (text: string) => [...text].length;

describe('text on the canvas', () => {
  it('is isolated, so that a name in another script turns nothing around', () => {
    expect(isolate('مضخة 3')).toBe('\u2068مضخة 3\u2069');
  });

  it('keeps what fits', () => {
    expect(fitText({ text: 'Harbour hub 12', width: 14, measure })).toBe('Harbour hub 12');
  });

  it('is cut in the middle and keeps its end', () => {
    const cut = fitText({ text: 'Lock chamber water level gate, west wall 02', width: 24, measure });
    expect(cut).toMatch(/^Lock chamber…t wall 02$|^Lock cham.*… ?.*wall 02$/);
    expect(measure(cut)).toBeLessThanOrEqual(24);
  });

  it('never halves a character', () => {
    const cut = fitText({ text: '👩‍👩‍👧'.repeat(30), width: 120, measure });
    expect(cut.replace('…', '').split('👩‍👩‍👧').join('')).toBe('');
  });
});
