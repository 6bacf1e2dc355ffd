import './ui/tokens.css';
import './ui/reset.css';
import './ui/layout.css';
import './ui/page.css';
import './ui/floating.css';
import { preparePage, startApp } from './app/start.tsx';

preparePage();
startApp(document.getElementById('root')!);
