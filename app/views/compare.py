from flask import Blueprint
blueprint = Blueprint("compare", __name__)
