import { clusterRadius } from '@swarmdeck/bff/symbol-size';
import { describe, expect, it } from 'vitest';
import { machineTypes } from '@swarmdeck/bff/first-rules';
import { ringArcs } from './symbol-shapes.ts';

const top = -Math.PI / 2;

describe('clusters', () => {
  it('grow with the logarithm of their count, up to 30 px', () => {
    expect(clusterRadius(2)).toBeCloseTo(15.7);
    expect(clusterRadius(8)).toBeCloseTo(19.1);
    expect(clusterRadius(1_000_000)).toBe(30);
  });

  it('show PC, Bug, Smartphone clockwise from the top', () => {
    const arcs = ringArcs({ by_type: { smartphone: 1, pc: 1, bug: 2 }, radius: 20 });
    expect(arcs.map(({ type }) => type)).toEqual(machineTypes);
    expect(arcs[0]!.from).toBeGreaterThan(top);
    expect(arcs[0]!.from).toBeLessThan(top + 0.1);
    expect((arcs[0]!.from + arcs[0]!.to) / 2).toBeCloseTo(top + Math.PI / 4);
    expect((arcs[1]!.from + arcs[1]!.to) / 2).toBeCloseTo(top + Math.PI);
  });

  it('have gaps between types, and no gap with only one type', () => {
    const [pc, bug] = ringArcs({ by_type: { pc: 1, bug: 1, smartphone: 0 }, radius: 20 });
    expect((bug!.from - pc!.to) * 20).toBeCloseTo(2.2);
    const [only] = ringArcs({ by_type: { pc: 0, bug: 7, smartphone: 0 }, radius: 20 });
    expect(only!.to - only!.from).toBeCloseTo(2 * Math.PI);
  });

  it('show a type with one device among thousands', () => {
    const arcs = ringArcs({ by_type: { pc: 1, bug: 9_999, smartphone: 0 }, radius: 28 });
    expect((arcs[0]!.to - arcs[0]!.from) * 28).toBeGreaterThan(3);
  });
});
