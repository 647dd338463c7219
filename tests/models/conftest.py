import pytest

from . import stories
from .story import Told


@pytest.fixture(scope="session")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    every = [*stories.plain(), *stories.outcomes(), *stories.chains(), *stories.tiers()]
    assert len({s.name for s in every}) == len(every)
    return Told(every, tmp_path_factory.mktemp("stories"))
