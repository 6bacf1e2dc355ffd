import { describe, expect, test } from 'vitest';
import { ageColour, ageStep, OLDEST } from './age.ts';

const now = Date.parse('2026-03-04T12:00:00.000Z');
const at = (seconds: number) => ageStep({ changed_at: new Date(now - seconds * 1000).toISOString(), now });

describe('the colour of an age', () => {
  test('has the same steps as the legend', () => {
    expect([0, 60, 3600, 86_400].map(at)).toEqual([0, OLDEST / 3, (OLDEST / 3) * 2, OLDEST]);
  });

  test('is the newest step for a future time and at most the oldest step', () => {
    expect(at(-5)).toBe(0);
    expect(at(1e9)).toBe(OLDEST);
  });

  test('increases in a limited number of steps', () => {
    const steps = Array.from({ length: 9_000 }, (_, tick) => at(tick * 10));
    expect(steps.every((step, tick) => tick === 0 || step >= (steps[tick - 1] ?? 0))).toBe(true);
    expect(new Set(steps).size).toBe(OLDEST + 1);
  });

  test('goes from the accent to grey', () => {
    const colours = { accent: '#0f766e', field: '#7d8f94' };
    const colour = (ago: number) => ageColour({ changed_at: new Date(now - ago).toISOString(), now, colours });
    expect(colour(0)).toBe('color-mix(in srgb, #7d8f94 0%, #0f766e)');
    expect(colour(86_400_000)).toBe('color-mix(in srgb, #7d8f94 100%, #0f766e)');
  });
});
