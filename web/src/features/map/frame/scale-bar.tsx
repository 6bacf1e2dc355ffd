import { ScaleControl } from 'react-leaflet';
import { language, localeOf } from '../../../text/language.ts';
import './scale-bar.css';

/** In kilometres, or in miles if the user's region is the United States. */
const isImperial = localeOf(language).endsWith('-US');

export const ScaleBar = () => <ScaleControl metric={!isImperial} imperial={isImperial} />;
