import { expect, test } from 'vitest';
import { shortenText, isCutInMiddle } from './shorten-text.ts';

const measure = (text: string) => [...new Intl.Segmenter().segment(text)].length;
const fit = (text: string, width: number) => shortenText({ text, width, measure });

test('truncation: a text that fits is not cut', () => {
  expect(fit('Lock chamber water level gate, west wall 02', 43)).toBe('Lock chamber water level gate, west wall 02');
  expect(fit('مزرعة / Greenhouse 3 (north)', 28)).toBe('مزرعة / Greenhouse 3 (north)');
});

test('truncation: a long name loses its middle and keeps its end, without blanks beside the ellipsis', () => {
  expect(fit('Lock chamber water level gate, west wall 02', 24)).toBe('Lock chambe…west wall 02');
  expect(fit('International Airport 17', 18)).toBe('Inter…l Airport 17');
  for (let width = 15; width < 40; width++) {
    expect(fit('R  o  ssl  aage  Airport  of  the  north  17', width)).toMatch(/\S…\S/);
    expect(measure(fit('R  o  ssl  aage  Airport  of  the  north  17', width))).toBeLessThanOrEqual(width);
  }
});

test('truncation: a name of one direction may lose its middle, one of mixed directions is cut at the end', () => {
  expect(fit('محطة قياس المياه في الميناء القديم رقم اثنان', 24)).toMatch(/^محطة.*….*رقم اثنان$/);
  expect(fit('مزرعة / Greenhouse 3 (north)', 21)).toBe('مزرعة / Greenhouse 3…');
  expect(fit('Greenhouse of مزرعة number 3', 20)).toBe('Greenhouse of مزرعة…');
  expect(fit('Sensor \u202enorthern greenhouse 3', 20)).toMatch(/…$/);
  expect(isCutInMiddle('مزرعة / Greenhouse 3 (north)')).toBe(false);
});

test('truncation: where little fits, less of the end stays, by which names differ', () => {
  expect(fit('Weather station North mole', 13)).toBe('Weathe…h mole');
  expect(fit('Weather station North quay', 13)).toBe('Weathe…h quay');
});

test('truncation: short names and very narrow names are cut at the end', () => {
  expect(fit('Harbour hub 12', 9)).toBe('Harbour…');
  expect(fit('Lock chamber water level gate, west wall 02', 8)).toBe('Lock ch…');
});

test('truncation: a character of several code points is not split', () => {
  const family = '👩‍👩‍👧‍👦';
  expect(fit(family.repeat(30), 20).replace('…', '').replaceAll(family, '')).toBe('');
  expect(isCutInMiddle(family.repeat(12))).toBe(false);
});
