import type { MapFeature } from '@swarmdeck/bff/contract';
import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';
import { useMapSymbols } from '../map.api.ts';
import type { MapQuestion } from '../map.api.ts';
import { Symbols } from './symbol-layer.ts';
import type { SymbolLayer, SymbolLayerProps } from './symbol-layer.ts';

const none: readonly MapFeature[] = [];

/** Draws the symbols of each response without a React render. `hidden`: dots replace them. */
export function LiveSymbols({
  question,
  hidden,
  symbols,
  ...scene
}: SymbolLayerProps & { question: MapQuestion; hidden: boolean; symbols: RefObject<SymbolLayer | null> }) {
  const answered = useRef(none);
  const draw = () => symbols.current?.show(hidden ? none : answered.current);
  useMapSymbols({
    ...question,
    show({ features }) {
      answered.current = features;
      draw();
    },
  });
  useEffect(draw, [hidden, symbols]);
  return <Symbols ref={symbols} {...scene} />;
}
