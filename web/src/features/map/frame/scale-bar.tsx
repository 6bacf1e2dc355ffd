import { createControlComponent } from '@react-leaflet/core';
import type { Control } from 'leaflet';
// Not ScaleControl of react-leaflet: it needs `Control.Scale`, which is assigned in a module with all controls.
import { Scale } from 'leaflet/src/control/Control.Scale.js';
import { language, localeOf } from '../../../text/language.ts';
import './scale-bar.css';

const ScaleControl = createControlComponent((options: Control.ScaleOptions) => new Scale(options));

/** In kilometres, or in miles if the user's region is the United States. */
const isImperial = localeOf(language).endsWith('-US');

export const ScaleBar = () => <ScaleControl metric={!isImperial} imperial={isImperial} position="bottomleft" />;
